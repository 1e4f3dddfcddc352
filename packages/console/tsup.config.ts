import { library } from '@matchyard/tooling/tsup'

// The page is built by Vite into dist/page; this is the one line that says where it is.
export default library({ shims: true })
