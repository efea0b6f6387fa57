// The smallest part of Foundation that the system offers, under one name for every module that needs it.
#if canImport(FoundationEssentials)
  @_exported public import FoundationEssentials
#else
  @_exported public import Foundation
#endif
