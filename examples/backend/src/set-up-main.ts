import { setUp } from './set-up'
import { writeSettings } from './settings'

const { MATCHYARD_URL = 'http://127.0.0.1:8080', MATCHYARD_EMAIL: email, MATCHYARD_PASSWORD: password } = process.env
const { BACKEND_URL = 'http://127.0.0.1:3000', SETTINGS = 'backend.json' } = process.env
if (email === undefined || password === undefined) throw new Error('set MATCHYARD_EMAIL and MATCHYARD_PASSWORD')

writeSettings(SETTINGS, await setUp({ baseUrl: MATCHYARD_URL, email, password }, BACKEND_URL))
console.log(`${SETTINGS} holds the keys; the client key in it is the one for the game`)
