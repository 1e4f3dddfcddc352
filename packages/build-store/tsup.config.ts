import { library } from '@matchyard/tooling/tsup'

// The thread's file stands beside the package's; shims give `import.meta.url` to the CommonJS form, which finds it by that.
export default library({
  entry: {
    fs: 'src/fs/index.ts',
    s3: 'src/s3/index.ts',
    kit: 'src/kit/index.ts',
    testing: 'src/testing/index.ts',
    'archive-worker': 'src/kit/worker/archive-worker.ts',
  },
  shims: true,
})
