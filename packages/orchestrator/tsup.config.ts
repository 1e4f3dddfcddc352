import { library } from '@matchyard/tooling/tsup'

// Shims: `import.meta.url` in the CommonJS form too, by which the supervisor's file is found.
export default library({
  entry: {
    process: 'src/process/index.ts',
    docker: 'src/docker/index.ts',
    agones: 'src/agones/index.ts',
    kit: 'src/kit/index.ts',
    testing: 'src/testing/index.ts',
  },
  shims: true,
})
