/** Logo of the product. */
export function Mark({ size = 32 }: { readonly size?: number }) {
  return (
    <svg class="mark" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path d="M8 22V10.500l8 7 8-7V22" fill="none" stroke-width="3" stroke-linecap="round" stroke-linejoin="round" />
    </svg>
  )
}
