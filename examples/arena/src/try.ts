import { readFileSync } from 'node:fs'
import { openArena } from './open'

const c = JSON.parse(readFileSync(`${process.argv[2]}/credentials.json`, 'utf8'))
const a = await openArena(c, { port: Number(process.argv[3] ?? 0), seconds: Number(process.argv[4] ?? 60) })
console.log(a.url, a.queueId)
