import { library } from '@matchyard/tooling/tsup'

// Vite builds the page into dist/page. This build holds only the module that exports its URL.
export default library({ shims: true })
