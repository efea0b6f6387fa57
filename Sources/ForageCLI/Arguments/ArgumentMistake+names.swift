/// What other programs call what this one has.
extension ArgumentMistake {
  /// Commands of gh, git and other programs, with ours for the same; a subcommand only where its group has it.
  static let otherCommands = [
    "view": "show", "info": "show", "get": "show", "find": "search", "query": "search",
    "grep": "search -k code", "web": "open", "like": "star",
    "bookmark": "favorite add", "bookmarks": "favorite list", "fav": "favorite", "login": "auth status",
    "check": "doctor", "delete": "remove", "del": "remove", "uninstall": "remove", "unset": "remove",
    "on": "enable", "off": "disable", "create": "new", "init": "new", "test": "validate", "refresh": "scan",
    "update": "scan",
  ]

  /// Short options of gh and other programs, with ours for the same.
  static let letters = [
    "-n": "--limit", "-l": "--language", "-t": "--jq", "-o": "--owner", "-s": "--sort", "-f": "--format",
    "-j": "--json", "-a": "--author", "-b": "--web", "-u": "--updated", "-d": "--depth",
  ]

  /// Options of gh, git and other programs, with ours for the same.
  static let otherNames = [
    "user": "--owner", "org": "--owner", "type": "--kind", "tag": "--topic", "ext": "--extension",
    "file": "--filename", "max-count": "--limit", "count": "--limit", "number": "--limit", "num": "--limit",
    "per-page": "--limit", "page": "--after", "cursor": "--after", "source": "--provider",
    "host": "--provider", "hostname": "--provider", "output": "--format", "template": "--jq",
    "fields": "--json", "browser": "--web", "open": "--web", "silent": "--quiet", "debug": "--verbose",
    "colour": "--color", "no-color": "--color never", "no-colour": "--color never", "since": "--updated",
    "reverse": "--order asc", "ascending": "--order asc", "cached": "--offline", "cache": "--offline",
    "refresh": "--no-cache", "favourites": "--favorites", "context": "-C", "confirm": "--yes",
    "force": "--yes",
    "shallow": "--depth 1", "unpushed": "--ahead", "untracked": "--dirty", "modified": "--dirty",
    "older-than": "--stale", "colors": "--color", "include-prs": "-k issue",
  ]
}
