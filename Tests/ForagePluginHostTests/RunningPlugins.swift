import Testing

/// Everything that runs plugins, one after another: each starts an interpreter.
@Suite(.serialized) struct RunningPlugins {}
