import { library } from '../../.ci/tsup.ts'

// Split, so that a command loads only what it needs; shims give `import.meta.url` to the CommonJS form.
export default library({ entry: ['src/index.ts', 'src/cli.ts'], splitting: true, shims: true })
