// Part of `npm run generate`. Records answers of the service and writes them to the named file. docs/openapi.json is
// made from these files.
import { writeFile } from 'node:fs/promises'
import { recordExamples } from './test/examples/record'
import { writtenExamples } from './test/examples/recorder'
import { recordRefusals } from './test/examples/refusals'

const RECORDED: Readonly<Record<string, () => Promise<string>>> = {
  'src/openapi/examples.ts': async () => writtenExamples(await recordExamples()),
  'src/error-pages/examples.ts': recordRefusals,
}

const [path = ''] = process.argv.slice(2)
const record = RECORDED[path]
if (record === undefined) throw new Error(`name one of ${Object.keys(RECORDED).join(', ')}`)
await writeFile(new URL(path, import.meta.url), await record())
