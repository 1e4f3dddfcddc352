import { library } from '@matchyard/tooling/tsup'

export default library({
  entry: { index: 'src/index.ts', admin: 'src/admin/index.ts', 'game-server': 'src/game-server/index.ts' },
})
