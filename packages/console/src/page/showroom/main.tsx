import '../ui/sheets'
import '../shell/shell.css'
import './gallery.css'
import { render } from 'preact'
import { useNetwork } from '../data/network'
import { opened, openWith } from '../data/project'
import { type Session, session } from '../data/session'
import { Wire } from '../data/wire'
import { before, type GalleryView, NOW } from '../gallery/fixtures'
import { Frame } from '../shell/frame'
import { SignIn } from '../shell/sign-in'
import { Questions } from '../ui/dialog'
import { stopTimeAt } from '../ui/time'
import { Toasts } from '../ui/toast'
import { galleryNetwork, type Shown } from './network'
import { FIXTURES } from './registry'

// `?as=data#/lobbies` shows one view in one state, with the gallery's own answers. Without a state the page lists all
// views and states.
const asked = new URLSearchParams(location.search).get('as')
const SHOWN: readonly Shown[] = ['data', 'empty', 'loading', 'failed']
const shown = SHOWN.find((one) => one === asked)
const place = document.getElementById('console')

const VIEWS: readonly GalleryView[] = [{ name: 'sign-in', path: '/' }, ...FIXTURES.flatMap(({ views }) => views)]
// The script that takes the pictures reads this object.
Object.assign(window, { galleryViews: VIEWS, galleryStates: SHOWN })

if (place !== null) render(shown === undefined ? <Contents /> : <Sample as={shown} />, place)

function Sample({ as }: { readonly as: Shown }) {
  if (asked !== null && new URLSearchParams(location.search).has('signed-out')) return <SignIn />
  open(as)
  return (
    <>
      <Frame />
      <Questions />
      <Toasts />
    </>
  )
}

function open(as: Shown): void {
  if (opened.peek() !== undefined) return
  stopTimeAt(NOW)
  useNetwork(galleryNetwork(as))
  const account = { id: 'acc_1', email: 'ann@studio.example', name: 'Ann', plan: 'pro', tariff: 'self_hosted' } as const
  const view = VIEWS.find(({ path }) => location.hash === `#${path}`)
  const operator = view?.isForOperators === true
  const mine: Session = { token: 'gallery', account: { ...account, operator }, wire: new Wire() }
  session.value = mine
  const times = { created_at: before(86_400 * 40), updated_at: before(86_400 * 2) }
  const mineOf = { project_id: 'prj_1', account_id: 'acc_1', role: 'owner' } as const
  const project = { ...mineOf, name: 'Starfall Arena', slug: 'starfall-arena', ...times }
  opened.value = openWith(mine, project, {
    serverKey: 'sk_live_gallery',
    clientKey: 'ck_live_gallery',
    revoke: async () => {},
  })
}

function Contents() {
  return (
    <main class="contents">
      <h1>Every view in every state</h1>
      <table>
        <tbody>
          {VIEWS.map(({ name, path }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {SHOWN.map((state) => (
                <td key={state}>
                  <a href={`?as=${state}${name === 'sign-in' ? '&signed-out' : ''}#${path}`}>{state}</a>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </main>
  )
}
