import { library } from '../../.ci/tsup.ts'

export default library({ entry: { index: 'src/index.ts', testing: 'src/testing/index.ts' } })
