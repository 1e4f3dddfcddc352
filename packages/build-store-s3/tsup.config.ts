import { library } from '@matchyard/tooling/tsup'

export default library({ entry: { index: 'src/index.ts', testing: 'src/testing/index.ts' }, shims: true })
