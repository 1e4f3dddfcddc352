import './ui/sheets'
import './shell/shell.css'
import { render } from 'preact'
import { takeInvitation } from './data/invitation'
import { replaceWith } from './data/route'
import { signInByCode } from './data/session'
import { App } from './shell/app'
import { listenForKeys } from './shell/shortcuts'
import { failed } from './ui'

const CODE = '#code='

// `matchyard dev` prints a link with a one-time code at startup. The code is removed from the address before anything
// else happens.
const code = location.hash.startsWith(CODE) ? location.hash.slice(CODE.length) : undefined
if (code !== undefined) {
  replaceWith('')
  // If the code is used up or expired, the session that this tab may already have stays valid. Without a session, the
  // sign-in page is shown.
  await signInByCode(code).catch(failed)
}

takeInvitation()
listenForKeys()
const place = document.getElementById('console')
if (place !== null) render(<App />, place)
