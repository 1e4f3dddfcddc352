import { library } from '@matchyard/tooling/tsup'

export default library({
  entry: { index: 'src/index.ts', simulation: 'src/simulation/index.ts' },
  // Not in CommonJS: what splits it makes of `a ?? (yield* b)` a function that is no generator. Nobody asks for a class of the engine.
  splitting: undefined,
})
