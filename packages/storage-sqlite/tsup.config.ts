import { library } from '@matchyard/tooling/tsup'

// The shims provide `import.meta.url` in the CommonJS form too. It is needed to find the database library for the
// thread of checkpoints.
export default library({ entry: { index: 'src/index.ts', testing: 'src/testing/index.ts' }, shims: true })
