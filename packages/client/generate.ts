// `npm run generate`: writes src/api/types.ts from docs/openapi.json. A test fails where the two differ.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Document, typesOf } from './generate/types'

const OPENAPI = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url))
const TYPES = fileURLToPath(new URL('src/api/types.ts', import.meta.url))

writeFileSync(TYPES, typesOf(JSON.parse(readFileSync(OPENAPI, 'utf8')) as Document))
console.log('packages/client/src/api/types.ts')
