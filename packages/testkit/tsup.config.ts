import { library } from '@matchyard/tooling/tsup'

export default library({ entry: { index: 'src/index.ts', matchmaking: 'src/matchmaking/index.ts' } })
