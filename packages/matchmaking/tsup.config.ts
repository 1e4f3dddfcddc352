import { library } from '@matchyard/tooling/tsup'

export default library({
  entry: { index: 'src/index.ts', simulation: 'src/simulation/index.ts' },
  // No splitting in CommonJS: the step that splits turns `a ?? (yield* b)` into a function that is not a generator. Users compare no class of
  // the engine, so a copy in each file is harmless.
  splitting: undefined,
})
