import { library } from '@matchyard/tooling/tsup'

export default library()
