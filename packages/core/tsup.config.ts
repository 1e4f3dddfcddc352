import { library } from '@matchyard/tooling/tsup'

export default library({
  entry: {
    index: 'src/index.ts',
    domain: 'src/entries/domain.ts',
    ports: 'src/entries/ports.ts',
  },
})
