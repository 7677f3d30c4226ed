/** The package has no types for its single dictionaries. */
declare module 'opencc-js/dict/TSCharacters' {
  /** Pairs of a traditional character and its simplified forms: "亂 乱|乾 干". */
  const pairs: string
  export default pairs
}
