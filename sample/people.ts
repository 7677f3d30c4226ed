/** Where the people of the sample come from: how they are called, and how their telephones are numbered. */
export interface Origin {
  /** How many of the users come from here. */
  users: number
  area_code: string
  /** A mobile number is one of the prefixes and this many digits behind it. */
  prefixes: readonly string[]
  digits: number
  nationality: string
  country: string
  cities: readonly string[]
  /** As written there, and in Latin letters. */
  last_names: readonly Word[]
  first_names: readonly Word[]
  /** Whether forms are filled in in Chinese. */
  isChinese: boolean
}

/** A word as written, and in English or Latin letters. */
export type Word = readonly [written: string, latin: string]

const latin = (words: string): Word[] => words.split(' ').map((word) => [word, fold(word)])

/** Pairs as "written/latin". */
const pairs = (words: string): Word[] => words.split(' ').map((pair) => pair.split('/') as [string, string])

const chineseLast = pairs(
  '王/Wang 李/Li 张/Zhang 刘/Liu 陈/Chen 杨/Yang 赵/Zhao 黄/Huang 周/Zhou 吴/Wu 徐/Xu 孙/Sun 胡/Hu 朱/Zhu 高/Gao 林/Lin 何/He 郭/Guo 欧阳/Ouyang 诸葛/Zhuge',
)
const chineseFirst = pairs(
  '伟/Wei 芳/Fang 娜/Na 敏/Min 静/Jing 磊/Lei 洋/Yang 艳/Yan 勇/Yong 杰/Jie 晓明/Xiaoming 雨桐/Yutong 子涵/Zihan 思远/Siyuan 嘉怡/Jiayi 浩然/Haoran 梓萱/Zixuan 志强/Zhiqiang 丽华/Lihua 建国/Jianguo 䶮/Yan 婷婷/Tingting',
)
const englishLast = latin("Smith Johnson Williams O'Connor Taylor Davies Nguyen Walker Clarke McAllister")
const englishFirst = latin('James Olivia Emma Noah Charlotte Liam Amelia Henry Grace Theodore')

export const origins: readonly Origin[] = [
  {
    users: 180,
    area_code: '86',
    prefixes: ['138', '139', '150', '158', '177', '186', '189', '199'],
    digits: 8,
    nationality: '中国',
    country: '中国',
    cities: ['上海', '北京', '深圳', '杭州', '成都', '广州', '南京', '西安'],
    last_names: chineseLast,
    first_names: chineseFirst,
    isChinese: true,
  },
  {
    users: 24,
    area_code: '852',
    prefixes: ['6', '9'],
    digits: 7,
    nationality: '中国香港',
    country: '中国香港',
    cities: ['香港'],
    last_names: pairs('陳/Chan 黃/Wong 梁/Leung 鄭/Cheng 何/Ho 林/Lam'),
    first_names: pairs('志明/Chi-Ming 美玲/Mei-Ling 家豪/Ka-Ho 詠詩/Wing-Sze 俊傑/Chun-Kit'),
    isChinese: true,
  },
  {
    users: 22,
    area_code: '65',
    prefixes: ['8', '9'],
    digits: 7,
    nationality: 'Singapore',
    country: 'Singapore',
    cities: ['Singapore'],
    last_names: latin('Tan Lim Lee Ong Goh Rajan Abdullah'),
    first_names: latin('Wei-Ling Kai Priya Aisyah Jun-Hao Daniel Siti'),
    isChinese: false,
  },
  {
    users: 26,
    area_code: '1',
    prefixes: ['212', '415', '617', '206', '312'].flatMap((area) => [`${area}5`, `${area}7`]),
    digits: 6,
    nationality: 'United States',
    country: 'United States',
    cities: ['New York', 'San Francisco', 'Boston', 'Seattle', 'Chicago'],
    last_names: englishLast,
    first_names: englishFirst,
    isChinese: false,
  },
  {
    users: 16,
    area_code: '44',
    prefixes: ['7400', '7455', '7538', '7817'],
    digits: 6,
    nationality: 'United Kingdom',
    country: 'United Kingdom',
    cities: ['London', 'Manchester', 'Edinburgh'],
    last_names: englishLast,
    first_names: englishFirst,
    isChinese: false,
  },
  {
    users: 14,
    area_code: '49',
    prefixes: ['151', '160', '171', '175'],
    digits: 8,
    nationality: 'Germany',
    country: 'Germany',
    cities: ['Berlin', 'München', 'Köln'],
    last_names: latin('Müller Schäfer Groß Weiß Jäger Köhler'),
    first_names: latin('Jürgen Käthe Björn Sören Anneliese Lukas'),
    isChinese: false,
  },
  {
    users: 10,
    area_code: '33',
    prefixes: ['61', '62', '76'],
    digits: 7,
    nationality: 'France',
    country: 'France',
    cities: ['Paris', 'Lyon', 'Saint-Étienne'],
    last_names: latin('Lefèvre Benoît Çelik Dupré Gauthier'),
    first_names: latin('Zoé François Hélène Léa Maël'),
    isChinese: false,
  },
  {
    users: 12,
    area_code: '81',
    prefixes: ['70', '80', '90'],
    digits: 8,
    nationality: '日本',
    country: '日本',
    cities: ['東京', '大阪', '福岡'],
    last_names: pairs('佐藤/Sato 鈴木/Suzuki 髙橋/Takahashi 渡邊/Watanabe 小野寺/Onodera'),
    first_names: pairs('さくら/Sakura 健太/Kenta 美咲/Misaki 蓮/Ren ハルカ/Haruka'),
    isChinese: false,
  },
  {
    users: 8,
    area_code: '971',
    prefixes: ['50', '52', '55', '56'],
    digits: 7,
    nationality: 'الإمارات العربية المتحدة',
    country: 'United Arab Emirates',
    cities: ['دبي', 'أبوظبي'],
    last_names: pairs('المنصوري/Al-Mansoori الهاشمي/Al-Hashimi الكعبي/Al-Kaabi'),
    first_names: pairs('فاطمة/Fatima محمد/Mohammed نورة/Noura خالد/Khalid'),
    isChinese: false,
  },
  {
    users: 8,
    area_code: '965',
    prefixes: ['50', '66', '99'],
    digits: 6,
    nationality: 'Kuwait',
    country: 'Kuwait',
    cities: ['Kuwait City'],
    last_names: latin('Al-Sabah Al-Rashid Behbehani'),
    first_names: latin('Dalal Yousef Maryam Bader'),
    isChinese: false,
  },
]

/** Names that software trips over; the first users get them, over whatever they were called. */
export const trickyNames: readonly Word[] = [
  ['Mia 🌸 Chen', 'Mia Chen'],
  ['Ægir Þórðarson', 'Aegir Thordarson'],
  ['Nguyễn Thị Ánh Tuyết', 'Nguyen Thi Anh Tuyet'],
  ["Siobhán O'Néill-D'Arcy", "Siobhan O'Neill-D'Arcy"],
  ['Владимир Щербаков', 'Vladimir Shcherbakov'],
  ['ณัฐวุฒิ ใจดี', 'Nattawut Jaidee'],
  [
    'José María de la Santísima Trinidad Juan Nepomuceno Álvarez de Toledo y Fernández de Córdoba Pérez-Galdós ' +
      'Osorio de Moscoso y Bernaldo de Quirós, Marqués de Villafranca de los Barros',
    'Jose Maria Alvarez de Toledo',
  ],
]

/** Accents and what else an address of electronic mail had better not carry. */
function fold(text: string): string {
  return text
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replaceAll(/[^A-Za-z' -]/g, '')
}
