import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

/** Calm greys with a trace of blue. `gray` is the light mode, from the page to the text. */
const gray: MantineColorsTuple = [
  '#f7f8f9',
  '#eff1f3',
  '#e6e8eb',
  '#d5d9de',
  '#b9c0c7',
  '#8a939d',
  '#65707b',
  '#4a545e',
  '#333c46',
  '#15191e',
]

/** `dark` is the dark mode, from the text to the page: 7 is a surface, 8 the page, 4 the edges. */
const dark: MantineColorsTuple = [
  '#e4e8ec',
  '#c3cad1',
  '#a4adb7',
  '#6f7a86',
  '#39424c',
  '#2a323a',
  '#22292f',
  '#191e23',
  '#101418',
  '#0b0e11',
]

/** The one accent. */
const blue: MantineColorsTuple = [
  '#eaf2ff',
  '#d5e4fe',
  '#a9c8fc',
  '#7fadf8',
  '#5a95f5',
  '#3d82f1',
  '#1f6feb',
  '#1b63d6',
  '#0b4fb3',
  '#0a3f8f',
]

/**
 * Shade 6 is for text and buttons in the light mode: its contrast with white is above 4.5 : 1. Shade 4 is for text in the dark.
 */
const red: MantineColorsTuple = [
  '#fff1ef',
  '#ffe0db',
  '#ffc0b8',
  '#ff9c8c',
  '#ff8a78',
  '#e5533f',
  '#c0341d',
  '#a82c17',
  '#8f2411',
  '#741b0b',
]
const green: MantineColorsTuple = [
  '#eaf7ee',
  '#d3eedb',
  '#a8dcb8',
  '#7cca94',
  '#5bbd7a',
  '#2f9e54',
  '#1a7336',
  '#16622e',
  '#125226',
  '#0d3f1d',
]
const orange: MantineColorsTuple = [
  '#fff4e8',
  '#ffe6cc',
  '#ffcf9e',
  '#ffb566',
  '#ffa042',
  '#e07b16',
  '#a84f06',
  '#93450a',
  '#7c3a08',
  '#633007',
]
const yellow: MantineColorsTuple = [
  '#fff8e1',
  '#ffefb8',
  '#ffe08a',
  '#ffd054',
  '#f5bf2e',
  '#c99205',
  '#805b00',
  '#705000',
  '#5e4300',
  '#4a3500',
]

/**
 * Latin first, then Chinese, Japanese, Korean and Arabic, each by the names of the system that has it: a list that mixes them
 * looks the same in all rows. No `system-ui`: on a Chinese or Japanese Windows it renders Latin letters in a font for Han.
 */
const fonts = [
  ...['-apple-system', 'BlinkMacSystemFont', 'Segoe UI Variable Text', 'Segoe UI', 'Roboto', 'Noto Sans'],
  ...['PingFang SC', 'Hiragino Sans GB', 'Microsoft YaHei UI', 'Microsoft YaHei', 'HarmonyOS Sans SC'],
  ...['Noto Sans SC', 'Noto Sans CJK SC', 'Source Han Sans SC', 'Hiragino Sans', 'Yu Gothic UI', 'Meiryo'],
  ...['Noto Sans JP', 'Apple SD Gothic Neo', 'Malgun Gothic', 'Noto Sans KR'],
  ...['SF Arabic', 'Geeza Pro', 'Noto Sans Arabic', 'Noto Naskh Arabic', 'sans-serif'],
]

/** A <header> outside of <main> is the banner of the page, of which there is one. */
const attributes = { header: { role: 'presentation' } }

/** The element for menus and lists of options: within the main landmark, as all content is within one. */
export const overlays = 'overlays'
const portalProps = { target: `#${overlays}` }

const quick = { duration: 120, timingFunction: 'ease-out' }

/** A dense theme for all-day use: one accent, one scale of type, one of spacing, no decoration. */
export const theme = createTheme({
  colors: { gray, dark, blue, red, green, orange, yellow },
  primaryColor: 'blue',
  primaryShade: { light: 6, dark: 6 },
  white: '#ffffff',
  black: '#15191e',
  respectReducedMotion: true,
  defaultRadius: 'sm',
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '10px', xl: '16px' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  cursorType: 'pointer',
  fontFamily: fonts.map((name) => (/^[\w-]+$/.test(name) ? name : `"${name}"`)).join(', '),
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.375rem' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.45', lg: '1.5', xl: '1.3' },
  headings: {
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.3125rem', lineHeight: '1.3' },
      h2: { fontSize: '0.9375rem', lineHeight: '1.4' },
      h3: { fontSize: '0.8125rem', lineHeight: '1.4' },
    },
  },
  shadows: {
    xs: '0 1px 2px rgb(21 25 30 / 6%)',
    sm: '0 1px 3px rgb(21 25 30 / 8%)',
    md: '0 4px 16px rgb(21 25 30 / 10%)',
    lg: '0 8px 28px rgb(21 25 30 / 14%)',
    xl: '0 12px 40px rgb(21 25 30 / 18%)',
  },
  components: {
    // Shows its origin without a noticeable delay.
    Drawer: { defaultProps: { attributes, transitionProps: { ...quick, transition: 'slide-left' } } },
    DrawerRoot: { defaultProps: { attributes, transitionProps: { ...quick, transition: 'slide-left' } } },
    // Above drawers and the notices of a phone, below menus.
    Modal: { defaultProps: { zIndex: 260, attributes, transitionProps: { ...quick, transition: 'fade' } } },
    ModalRoot: { defaultProps: { attributes, transitionProps: { ...quick, transition: 'fade' } } },
    Menu: {
      defaultProps: {
        transitionProps: { duration: 0 },
        // A menu has items only.
        withInitialFocusPlaceholder: false,
        portalProps,
      },
    },
    Popover: { defaultProps: { portalProps, transitionProps: { duration: 0 } } },
    Tooltip: { defaultProps: { openDelay: 300, withinPortal: true, transitionProps: { duration: 0 } } },
    Notifications: { defaultProps: { transitionDuration: 120 } },
  },
})

/**
 * Surfaces by elevation: the page is lowest, then cards, then drawers and menus. In dark mode, higher surfaces are lighter,
 * because a shadow does not show there. Text in every colour keeps a contrast above 4.5 : 1 on all of them.
 */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5b6570',
    '--mantine-color-placeholder': '#65707b',
    '--mantine-color-anchor': '#1a62d2',
    '--mantine-color-error': '#c0341d',
    '--mantine-color-default-border': '#e1e4e8',
    '--surface-page': '#f7f8f9',
    '--surface-card': '#ffffff',
    '--surface-raised': '#ffffff',
    '--surface-hover': '#f4f6f8',
    '--surface-chosen': '#eaf2ff',
    '--text-chosen': '#0b4fb3',
    '--line-soft': '#eef0f2',
    '--line-raised': '#d5d9de',
  },
  dark: {
    '--mantine-color-body': '#191e23',
    '--mantine-color-text': '#e4e8ec',
    '--mantine-color-dimmed': '#a4adb7',
    '--mantine-color-placeholder': '#949eaa',
    '--mantine-color-anchor': '#7fb0ff',
    '--mantine-color-error': '#ff9c8c',
    '--mantine-color-default': '#22292f',
    '--mantine-color-default-hover': '#2a323a',
    '--mantine-color-default-border': '#39424c',
    '--surface-page': '#101418',
    '--surface-card': '#191e23',
    '--surface-raised': '#1f252b',
    '--surface-hover': '#20272d',
    '--surface-chosen': '#16294a',
    '--text-chosen': '#a9c8fc',
    '--line-soft': '#262d34',
    '--line-raised': '#4a5560',
  },
})
