// Who imports Forage has everything, in whichever room it is.
@_exported public import ForageClones
@_exported public import ForageEntities
@_exported public import ForageSetup
