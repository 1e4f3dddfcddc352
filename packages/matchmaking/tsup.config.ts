import { library } from '@matchyard/tooling/tsup'

export default library({ entry: { index: 'src/index.ts', simulation: 'src/simulation/index.ts' } })
