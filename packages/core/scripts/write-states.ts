import { writeFileSync } from 'node:fs'
import { statesPage } from './states-page'

writeFileSync(new URL('../../../docs/states.md', import.meta.url), statesPage())
