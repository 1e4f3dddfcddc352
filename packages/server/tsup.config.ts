import { packReference } from '@matchyard/tooling/reference'
import { library } from '@matchyard/tooling/tsup'

// Split, so that a command loads only what it needs; shims give `import.meta.url` to the CommonJS form.
export default library({
  entry: { index: 'src/index.ts', cli: 'src/cli.ts', testing: 'src/testing/index.ts' },
  splitting: true,
  shims: true,
  onSuccess: () => packReference(import.meta.dirname),
})
