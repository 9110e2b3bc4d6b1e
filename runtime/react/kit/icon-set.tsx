import AddCircleOutline from 'antd-mobile-icons/es/AddCircleOutline'
import AddOutline from 'antd-mobile-icons/es/AddOutline'
import AddSquareOutline from 'antd-mobile-icons/es/AddSquareOutline'
import AppOutline from 'antd-mobile-icons/es/AppOutline'
import AppstoreOutline from 'antd-mobile-icons/es/AppstoreOutline'
import AudioOutline from 'antd-mobile-icons/es/AudioOutline'
import BankcardOutline from 'antd-mobile-icons/es/BankcardOutline'
import BellOutline from 'antd-mobile-icons/es/BellOutline'
import BillOutline from 'antd-mobile-icons/es/BillOutline'
import CalculatorOutline from 'antd-mobile-icons/es/CalculatorOutline'
import CalendarOutline from 'antd-mobile-icons/es/CalendarOutline'
import CameraOutline from 'antd-mobile-icons/es/CameraOutline'
import ChatAddOutline from 'antd-mobile-icons/es/ChatAddOutline'
import CheckCircleOutline from 'antd-mobile-icons/es/CheckCircleOutline'
import CheckOutline from 'antd-mobile-icons/es/CheckOutline'
import CheckShieldOutline from 'antd-mobile-icons/es/CheckShieldOutline'
import ClockCircleFill from 'antd-mobile-icons/es/ClockCircleFill'
import ClockCircleOutline from 'antd-mobile-icons/es/ClockCircleOutline'
import CloseCircleOutline from 'antd-mobile-icons/es/CloseCircleOutline'
import CollectMoneyOutline from 'antd-mobile-icons/es/CollectMoneyOutline'
import CompassOutline from 'antd-mobile-icons/es/CompassOutline'
import ContentOutline from 'antd-mobile-icons/es/ContentOutline'
import CouponOutline from 'antd-mobile-icons/es/CouponOutline'
import DeleteOutline from 'antd-mobile-icons/es/DeleteOutline'
import DownlandOutline from 'antd-mobile-icons/es/DownlandOutline'
import DownOutline from 'antd-mobile-icons/es/DownOutline'
import EditSFill from 'antd-mobile-icons/es/EditSFill'
import EditSOutline from 'antd-mobile-icons/es/EditSOutline'
import EnvironmentOutline from 'antd-mobile-icons/es/EnvironmentOutline'
import ExclamationCircleOutline from 'antd-mobile-icons/es/ExclamationCircleOutline'
import EyeOutline from 'antd-mobile-icons/es/EyeOutline'
import FileOutline from 'antd-mobile-icons/es/FileOutline'
import FillinOutline from 'antd-mobile-icons/es/FillinOutline'
import FilterOutline from 'antd-mobile-icons/es/FilterOutline'
import FireFill from 'antd-mobile-icons/es/FireFill'
import FlagOutline from 'antd-mobile-icons/es/FlagOutline'
import FolderOutline from 'antd-mobile-icons/es/FolderOutline'
import GiftOutline from 'antd-mobile-icons/es/GiftOutline'
import GlobalOutline from 'antd-mobile-icons/es/GlobalOutline'
import HandPayCircleOutline from 'antd-mobile-icons/es/HandPayCircleOutline'
import HeartOutline from 'antd-mobile-icons/es/HeartOutline'
import HistogramOutline from 'antd-mobile-icons/es/HistogramOutline'
import InformationCircleOutline from 'antd-mobile-icons/es/InformationCircleOutline'
import KeyOutline from 'antd-mobile-icons/es/KeyOutline'
import LikeOutline from 'antd-mobile-icons/es/LikeOutline'
import LinkOutline from 'antd-mobile-icons/es/LinkOutline'
import LocationOutline from 'antd-mobile-icons/es/LocationOutline'
import LockOutline from 'antd-mobile-icons/es/LockOutline'
import LoopOutline from 'antd-mobile-icons/es/LoopOutline'
import MailOutline from 'antd-mobile-icons/es/MailOutline'
import MessageOutline from 'antd-mobile-icons/es/MessageOutline'
import MoreOutline from 'antd-mobile-icons/es/MoreOutline'
import PayCircleOutline from 'antd-mobile-icons/es/PayCircleOutline'
import PhonebookOutline from 'antd-mobile-icons/es/PhonebookOutline'
import PhoneFill from 'antd-mobile-icons/es/PhoneFill'
import PictureOutline from 'antd-mobile-icons/es/PictureOutline'
import PieOutline from 'antd-mobile-icons/es/PieOutline'
import QuestionCircleOutline from 'antd-mobile-icons/es/QuestionCircleOutline'
import ReceiptOutline from 'antd-mobile-icons/es/ReceiptOutline'
import ReceivePaymentOutline from 'antd-mobile-icons/es/ReceivePaymentOutline'
import RedoOutline from 'antd-mobile-icons/es/RedoOutline'
import RightOutline from 'antd-mobile-icons/es/RightOutline'
import ScanningOutline from 'antd-mobile-icons/es/ScanningOutline'
import SearchOutline from 'antd-mobile-icons/es/SearchOutline'
import SendOutline from 'antd-mobile-icons/es/SendOutline'
import SetOutline from 'antd-mobile-icons/es/SetOutline'
import ShopbagOutline from 'antd-mobile-icons/es/ShopbagOutline'
import SmileOutline from 'antd-mobile-icons/es/SmileOutline'
import StarFill from 'antd-mobile-icons/es/StarFill'
import StarOutline from 'antd-mobile-icons/es/StarOutline'
import TagOutline from 'antd-mobile-icons/es/TagOutline'
import TeamOutline from 'antd-mobile-icons/es/TeamOutline'
import TextOutline from 'antd-mobile-icons/es/TextOutline'
import TravelOutline from 'antd-mobile-icons/es/TravelOutline'
import TruckOutline from 'antd-mobile-icons/es/TruckOutline'
import UndoOutline from 'antd-mobile-icons/es/UndoOutline'
import UnlockOutline from 'antd-mobile-icons/es/UnlockOutline'
import UnorderedListOutline from 'antd-mobile-icons/es/UnorderedListOutline'
import UploadOutline from 'antd-mobile-icons/es/UploadOutline'
import UpOutline from 'antd-mobile-icons/es/UpOutline'
import UserAddOutline from 'antd-mobile-icons/es/UserAddOutline'
import UserCircleOutline from 'antd-mobile-icons/es/UserCircleOutline'
import UserContactOutline from 'antd-mobile-icons/es/UserContactOutline'
import UserOutline from 'antd-mobile-icons/es/UserOutline'
import UserSetOutline from 'antd-mobile-icons/es/UserSetOutline'
import VideoOutline from 'antd-mobile-icons/es/VideoOutline'
import { type IconName, iconNamed } from '../../core/page/icon-names.ts'

/** By name, without the suffix `Outline` that most have. */
const ICONS: Readonly<Record<IconName, typeof AddOutline>> = {
  Add: AddOutline,
  AddCircle: AddCircleOutline,
  AddSquare: AddSquareOutline,
  App: AppOutline,
  Appstore: AppstoreOutline,
  Audio: AudioOutline,
  Bankcard: BankcardOutline,
  Bell: BellOutline,
  Bill: BillOutline,
  Calculator: CalculatorOutline,
  Calendar: CalendarOutline,
  Camera: CameraOutline,
  ChatAdd: ChatAddOutline,
  Check: CheckOutline,
  CheckCircle: CheckCircleOutline,
  CheckShield: CheckShieldOutline,
  ClockCircle: ClockCircleOutline,
  ClockCircleFill,
  CloseCircle: CloseCircleOutline,
  CollectMoney: CollectMoneyOutline,
  Compass: CompassOutline,
  Content: ContentOutline,
  Coupon: CouponOutline,
  Delete: DeleteOutline,
  Down: DownOutline,
  Downland: DownlandOutline,
  EditS: EditSOutline,
  EditSFill,
  Environment: EnvironmentOutline,
  ExclamationCircle: ExclamationCircleOutline,
  Eye: EyeOutline,
  File: FileOutline,
  Fillin: FillinOutline,
  Filter: FilterOutline,
  FireFill,
  Flag: FlagOutline,
  Folder: FolderOutline,
  Gift: GiftOutline,
  Global: GlobalOutline,
  HandPayCircle: HandPayCircleOutline,
  Heart: HeartOutline,
  Histogram: HistogramOutline,
  InformationCircle: InformationCircleOutline,
  Key: KeyOutline,
  Like: LikeOutline,
  Link: LinkOutline,
  Location: LocationOutline,
  Lock: LockOutline,
  Loop: LoopOutline,
  Mail: MailOutline,
  Message: MessageOutline,
  More: MoreOutline,
  PayCircle: PayCircleOutline,
  PhoneFill,
  Phonebook: PhonebookOutline,
  Picture: PictureOutline,
  Pie: PieOutline,
  QuestionCircle: QuestionCircleOutline,
  Receipt: ReceiptOutline,
  ReceivePayment: ReceivePaymentOutline,
  Redo: RedoOutline,
  Right: RightOutline,
  Scanning: ScanningOutline,
  Search: SearchOutline,
  Send: SendOutline,
  Set: SetOutline,
  Shopbag: ShopbagOutline,
  Smile: SmileOutline,
  Star: StarOutline,
  StarFill,
  Tag: TagOutline,
  Team: TeamOutline,
  Text: TextOutline,
  Travel: TravelOutline,
  Truck: TruckOutline,
  Undo: UndoOutline,
  Unlock: UnlockOutline,
  UnorderedList: UnorderedListOutline,
  Up: UpOutline,
  Upload: UploadOutline,
  User: UserOutline,
  UserAdd: UserAddOutline,
  UserCircle: UserCircleOutline,
  UserContact: UserContactOutline,
  UserSet: UserSetOutline,
  Video: VideoOutline,
}

/** Names of icons begin with a capital letter, inherited properties do not. */
const isIcon = (name: string): name is IconName => name in ICONS

export default function IconSet({ name }: { readonly name: string }) {
  const Drawn = ICONS[iconNamed(name, isIcon) ?? 'App']
  return <Drawn />
}
