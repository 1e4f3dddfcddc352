import './ui/sheets'
import './shell/shell.css'
import { render } from 'preact'
import { replaceWith } from './data/route'
import { signInByCode } from './data/session'
import { App } from './shell/app'
import { listenForKeys } from './shell/shortcuts'
import { failed } from './ui'

const CODE = '#code='

// The link that the service prints as it starts: its code is taken out of the address before anything else is done.
const code = location.hash.startsWith(CODE) ? location.hash.slice(CODE.length) : undefined
if (code !== undefined) {
  replaceWith('')
  // For a used or expired code: a session in this tab stays, others sign in by hand.
  await signInByCode(code).catch(failed)
}

listenForKeys()
const place = document.getElementById('console')
if (place !== null) render(<App />, place)
