import './help-link.css'
import { DOCS, type HelpPart } from './help'

/** Link to a part of the documents that the service serves; it opens in another tab. */
export const HelpLink = ({ on: { name, page } }: { readonly on: HelpPart }) => (
  <a class="help-link" href={`${DOCS}${page}`} target="_blank" rel="noopener" title={`Help on ${name}`}>
    <span aria-hidden="true">?</span>
    <span class="unseen">{`Help on ${name}`}</span>
  </a>
)
