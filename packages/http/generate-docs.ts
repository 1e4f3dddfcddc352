import { writeFile } from 'node:fs/promises'
import { generatedDocs } from './src/generated-docs'

const docs = new URL('../../docs/', import.meta.url)
for (const [name, text] of Object.entries(generatedDocs())) {
  await writeFile(new URL(name, docs), text)
  console.log(`docs/${name}`)
}
