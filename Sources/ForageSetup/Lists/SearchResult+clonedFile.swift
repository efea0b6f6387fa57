package import ForageCore
package import ForageGit
import ForageLocal
import ForagePlatform

extension SearchResult {
  /// The file on this disk in which something was found, beneath the root of its clone: no link leads to it
  /// from there. Of a file outside of clones the root is `/`.
  package var clonedFile: (files: ClonedFiles, path: [UInt8])? {
    guard kind == .code, let text = self[.file]?.text, let shown = self[.path]?.text else { return nil }
    let (file, path) = (FilePathText.bytes(text) ?? Array(text.utf8), Array(shown.utf8))
    if path.first == UInt8(ascii: "/") { return (ClonedFiles("/"), Array(file.dropFirst())) }
    // What is not UTF-8 in a path takes another number of bytes as text.
    let depth = path.count { $0 == UInt8(ascii: "/") } + 1
    let slashes = file.indices.filter { file[$0] == UInt8(ascii: "/") }.suffix(depth)
    guard slashes.count == depth, let slash = slashes.first,
      let root = String(validating: file[..<slash], as: UTF8.self)
    else { return nil }
    return (ClonedFiles(root.isEmpty ? "/" : root), Array(file[(slash + 1)...]))
  }
}
