// The first half of `npm run docs:generate`: the document, its second half, is made of these.
import { writeFile } from 'node:fs/promises'
import { recordExamples } from './test/examples/record'
import { writtenExamples } from './test/examples/recorder'
import { recordRefusals } from './test/examples/refusals'

const WRITTEN = {
  'src/openapi/examples.ts': async () => writtenExamples(await recordExamples()),
  'src/error-pages/examples.ts': recordRefusals,
}

for (const [path, record] of Object.entries(WRITTEN)) {
  await writeFile(new URL(path, import.meta.url), await record())
  console.log(`packages/http/${path}`)
}
