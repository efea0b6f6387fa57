import Forage

extension ReferenceReader {
  /// The forms of a REF, for the help of commands.
  static let help = """
    REF is owner/name, owner/name#12, owner/name@COMMIT or @login, each with a host in front or not; a clone or web URL; \
    the path of a clone; the id of a result; or a number or range of the last list on this terminal (3, 5-7). \
    owner/name is a repository; write ./owner/name for the folder.
    """
}
