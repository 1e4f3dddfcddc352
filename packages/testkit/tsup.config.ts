import { library } from '@matchyard/tooling/tsup'

export default library({
  entry: {
    index: 'src/index.ts',
    'build-store': 'src/conformance/build-store/index.ts',
    matchmaking: 'src/matchmaking/index.ts',
    orchestrator: 'src/conformance/orchestrator/index.ts',
    simulation: 'src/simulation/index.ts',
    storage: 'src/entries/storage.ts',
  },
})
