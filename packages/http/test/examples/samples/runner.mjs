// Runs samples in JavaScript. Each input line names a sample and its environment variables, separated by tabs. Each
// output line is `ok` or `failed`, and the printed text in base64.
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

const write = process.stdout.write.bind(process.stdout)
let printed = ''
const keep = (what) => {
  printed += typeof what === 'string' ? what : JSON.stringify(what)
  return true
}
process.stdout.write = keep
console.log = keep

for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...variables] = line.split('\t')
  for (const variable of variables) {
    const [, key, value] = /^(\w+)=(.*)$/.exec(variable)
    if (value === '') delete process.env[key]
    else process.env[key] = value
  }
  printed = ''
  let word = 'ok'
  try {
    await import(pathToFileURL(join(process.cwd(), `${name}.mjs`)).href)
  } catch (error) {
    word = 'failed'
    keep(String(error))
  }
  write(`${word} ${Buffer.from(printed).toString('base64')}\n`)
}
