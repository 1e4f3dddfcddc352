/** Types for the part of the package gifenc that is used here; the package has no types. */
declare module 'gifenc' {
  type Palette = readonly (readonly number[])[]
  interface Encoder {
    writeFrame(
      index: Uint8Array,
      width: number,
      height: number,
      options: { readonly palette: Palette; readonly delay: number },
    ): void
    finish(): void
    bytes(): Uint8Array
  }
  const gifenc: {
    GIFEncoder(): Encoder
    quantize(rgba: Uint8Array, colours: number): Palette
    applyPalette(rgba: Uint8Array, palette: Palette): Uint8Array
  }
  // biome-ignore lint/style/noDefaultExport: that is how it is exported
  export default gifenc
}
