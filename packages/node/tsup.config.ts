import { library } from '@matchyard/tooling/tsup'

// Shims give `import.meta.url` to the CommonJS form: by it the thread that hashes finds its library.
export default library({ shims: true })
