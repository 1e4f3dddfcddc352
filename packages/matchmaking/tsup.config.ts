import { library } from '../../.ci/tsup.ts'

export default library()
