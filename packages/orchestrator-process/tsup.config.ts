import { library } from '../../.ci/tsup.ts'

// Shims: `import.meta.url` in the CommonJS form too, by which the supervisor's file is found.
export default library({ shims: true })
