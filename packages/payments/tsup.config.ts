import { library } from '@matchyard/tooling/tsup'

export default library({ entry: { manual: 'src/manual/index.ts' } })
