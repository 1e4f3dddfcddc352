import { library } from '../../.ci/tsup.ts'

// Shims: `import.meta.url` in the CommonJS form too, by which the database library is found for the thread of the checkpoints.
export default library({ shims: true })
