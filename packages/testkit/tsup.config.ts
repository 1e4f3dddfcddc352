import { library } from '../../.ci/tsup.ts'

export default library({ entry: { index: 'src/index.ts', matchmaking: 'src/matchmaking/index.ts' } })
