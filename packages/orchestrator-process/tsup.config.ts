import { library } from '@matchyard/tooling/tsup'

// Shims: `import.meta.url` in the CommonJS form too, by which the supervisor's file is found.
export default library({ entry: { index: 'src/index.ts', testing: 'src/testing/index.ts' }, shims: true })
