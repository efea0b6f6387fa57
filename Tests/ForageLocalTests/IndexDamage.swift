import GRDB

@testable import ForageStore

/// Changes an index as nothing in the program does.
func execute(_ sql: String, in index: CodeIndex) throws {
  try index.database.write { try $0.execute(sql: sql) }
}
