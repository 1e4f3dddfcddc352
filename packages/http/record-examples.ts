// The first half of `npm run docs:generate`: the document, its second half, is made of these.
import { writeFile } from 'node:fs/promises'
import { recordExamples } from './test/examples/record'
import { writtenExamples } from './test/examples/recorder'

await writeFile(new URL('src/openapi/examples.ts', import.meta.url), writtenExamples(await recordExamples()))
console.log('packages/http/src/openapi/examples.ts')
