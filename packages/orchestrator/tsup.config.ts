import { library } from '@matchyard/tooling/tsup'

// Shims give the CommonJS form `import.meta.url`, by which the supervisor's file is found.
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
