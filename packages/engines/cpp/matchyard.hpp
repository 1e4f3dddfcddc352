// Matchyard for C++17: the calls of a player, over libcurl 7.68 or newer. One header, no other dependency.
//
//   g++ -std=c++17 game.cpp -lcurl
//
// A Client belongs to one thread; only stop() may be called from another thread. Calls block, so a game makes them on a
// thread beside its frames. Each failed call throws a matchyard::Error. Guide: docs/cookbook/cpp-client.md.
// SPDX-License-Identifier: MIT
#pragma once

#include <curl/curl.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <locale>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#if LIBCURL_VERSION_NUM < 0x074400
#error "matchyard.hpp needs libcurl 7.68 or newer"
#endif

namespace matchyard {

/// Codes of errors. The positive ones are the `number` of the service's errors (docs/errors.md). The service may add codes,
/// so a switch needs a default.
enum class Code : int {
  stopped = -1,           ///< stop() was called
  unreachable = -2,       ///< no usable answer within Options::give_up_after
  answer_too_large = -3,  ///< the answer has more than Options::max_answer_bytes bytes
  invalid_answer = -4,    ///< the answer is not the JSON that the service sends
  invalid_argument = -5,  ///< an option or an argument cannot be sent
  search_ended = -6,      ///< the lobby returned to `waiting`; Error::reason has the cause
  timed_out = -7,         ///< the time that the caller gave is over
  // <codes> Written by `npm run generate` from packages/core/src/errors/codes; not to be edited by hand.
  invalid_api_key = 1001,
  missing_credentials = 1002,
  invalid_session_token = 1003,
  session_expired = 1004,
  credential_not_allowed = 1005,
  player_id_required = 1006,
  invalid_player_id = 1007,
  invalid_login = 1008,
  email_taken = 1009,
  player_token_required = 1010,
  invalid_player_token = 1011,
  registration_closed = 1012,
  invalid_machine_token = 1014,
  session_not_found = 1015,
  second_factor_required = 1013,
  second_factor_state = 1016,
  second_factor_refused = 1017,
  server_not_found = 2001,
  invalid_server_state = 2002,
  server_launch_failed = 2003,
  machine_not_found = 2004,
  build_not_found = 3001,
  build_not_ready = 3002,
  build_in_use = 3003,
  upload_rejected = 3004,
  lobby_not_found = 4001,
  lobby_full = 4002,
  player_not_in_lobby = 4003,
  not_host = 4004,
  invalid_invite_code = 4005,
  player_state_forbidden = 4006,
  invalid_lobby_state = 4007,
  lobby_not_accepting = 4008,
  invite_codes_exhausted = 4009,
  player_banned = 4010,
  ban_not_found = 4011,
  ban_limit = 4012,
  queue_not_found = 5001,
  queue_disabled = 5002,
  queue_exists = 5003,
  queue_in_use = 5004,
  queue_version_not_found = 5014,
  rating_not_found = 5019,
  rating_in_use = 5021,
  matchmaking_not_configured = 5005,
  party_too_large = 5006,
  party_cannot_match = 5007,
  match_not_found = 5008,
  invalid_match_state = 5009,
  no_proposal = 5010,
  proposal_changed = 5011,
  player_cooling_down = 5012,
  player_in_match = 5015,
  match_full = 5016,
  seat_not_found = 5017,
  result_exists = 5018,
  too_many_searches = 5020,
  backfill_not_found = 5013,
  plan_limit_exceeded = 6001,
  payment_method_required = 6002,
  invalid_plan_change = 6003,
  project_not_found = 7001,
  project_has_running_servers = 7002,
  role_not_allowed = 7003,
  member_not_found = 7004,
  invitation_not_found = 7005,
  problem_not_found = 7006,
  validation_failed = 8001,
  not_found = 8002,
  method_not_allowed = 8003,
  rate_limited = 8004,
  payload_too_large = 8005,
  unsupported_media_type = 8006,
  unavailable = 8007,
  conflict = 8008,
  internal = 8009,
  idempotency_mismatch = 8010,
  key_not_found = 9001,
  key_revoked = 9002,
  webhook_not_found = 9101,
  webhook_address_refused = 9102,
  webhook_limit = 9103,
  secret_not_found = 9201,
  secret_limit = 9202,
  // </codes>
};

/// A refused or failed call.
struct Error : std::runtime_error {
  Code code;
  std::string name;       ///< the code as the service writes it, e.g. "LOBBY_FULL"; empty for codes below zero
  int status = 0;         ///< the HTTP status; 0 without an answer
  std::string reason;     ///< for Code::search_ended: `last_exit.reason` of the lobby
  std::string request_id; ///< the id of the request, for the logs of the service
  std::chrono::milliseconds retry_after{0};  ///< after which the call may succeed; 0 when the service named no time

  Error(Code code_, const std::string& sentence) : std::runtime_error(sentence), code(code_) {}
};

/// A JSON value. Numbers are doubles, exact up to 2^53, as in the service.
class Json {
 public:
  enum class Type { null, boolean, number, text, list, object };
  using Member = std::pair<std::string, Json>;

  Json() = default;
  Json(std::nullptr_t) {}
  template <class Value, std::enable_if_t<std::is_arithmetic_v<Value>, int> = 0>
  Json(Value value)
      : type_(std::is_same_v<Value, bool> ? Type::boolean : Type::number),
        boolean_(value != 0),
        number_(static_cast<double>(value)) {}
  Json(const char* value) : type_(Type::text), text_(value) {}
  Json(std::string value) : type_(Type::text), text_(std::move(value)) {}

  static Json list(std::vector<Json> items) {
    Json made;
    made.type_ = Type::list;
    made.items_ = std::move(items);
    return made;
  }
  static Json object(std::vector<Member> members) {
    Json made;
    made.type_ = Type::object;
    made.members_ = std::move(members);
    return made;
  }

  Type type() const { return type_; }
  bool is_null() const { return type_ == Type::null; }
  bool boolean(bool otherwise = false) const { return type_ == Type::boolean ? boolean_ : otherwise; }
  double number(double otherwise = 0) const { return type_ == Type::number ? number_ : otherwise; }
  /// Returns the number without its fraction, at most 2^53 and at least -2^53.
  std::int64_t integer() const { return static_cast<std::int64_t>(std::clamp(number(), -9007199254740992.0, 9007199254740992.0)); }
  std::string text(const std::string& otherwise = "") const { return type_ == Type::text ? text_ : otherwise; }
  const std::vector<Json>& items() const { return items_; }
  const std::vector<Member>& members() const { return members_; }

  /// Returns the member of an object; null when there is none, so that reads can be chained.
  const Json& operator[](std::string_view key) const {
    static const Json none;
    for (const auto& [name, value] : members_)
      if (name == key) return value;
    return none;
  }
  /// Sets a member, and makes a null value an object.
  void set(const std::string& key, Json value) {
    if (type_ == Type::null) type_ = Type::object;
    for (auto& [name, old] : members_)
      if (name == key) {
        old = std::move(value);
        return;
      }
    members_.emplace_back(key, std::move(value));
  }

  std::string dump() const {
    std::string out;
    write(out);
    return out;
  }
  /// Throws Code::invalid_answer for text that is not JSON, or that is nested more than 64 levels deep.
  static Json parse(std::string_view text);

 private:
  Type type_ = Type::null;
  bool boolean_ = false;
  double number_ = 0;
  std::string text_;
  std::vector<Json> items_;
  std::vector<Member> members_;

  static void write_text(std::string& out, const std::string& text) {
    out += '"';
    for (const char each : text) {
      const auto byte = static_cast<unsigned char>(each);
      if (each == '"' || each == '\\') {
        out += '\\';
        out += each;
      } else if (byte < 0x20) {
        char escape[8];
        std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(byte));
        out += escape;
      } else {
        out += each;
      }
    }
    out += '"';
  }
  static void write_number(std::string& out, double number) {
    if (!std::isfinite(number)) throw Error(Code::invalid_argument, "a number that is not finite is not JSON");
    std::ostringstream digits;  // with the classic locale, in which the decimal sign is a point
    digits.imbue(std::locale::classic());
    digits.precision(17);
    digits << number;
    out += digits.str();
  }
  void write(std::string& out) const {
    bool is_first = true;
    const auto comma = [&] {
      if (!is_first) out += ',';
      is_first = false;
    };
    switch (type_) {
      case Type::null: out += "null"; break;
      case Type::boolean: out += boolean_ ? "true" : "false"; break;
      case Type::number: write_number(out, number_); break;
      case Type::text: write_text(out, text_); break;
      case Type::list:
        out += '[';
        for (const Json& item : items_) {
          comma();
          item.write(out);
        }
        out += ']';
        break;
      case Type::object:
        out += '{';
        for (const auto& [name, value] : members_) {
          comma();
          write_text(out, name);
          out += ':';
          value.write(out);
        }
        out += '}';
        break;
    }
  }
};

namespace detail {

/// Reads JSON by recursive descent, with a bound on the depth.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Json whole() {
    if (!is_utf8()) fail();
    Json read = value(0);
    blanks();
    if (at_ != text_.size()) fail();
    return read;
  }

 private:
  static constexpr int max_depth = 64;
  std::string_view text_;
  std::size_t at_ = 0;

  [[noreturn]] void fail() const {
    throw Error(Code::invalid_answer, "not JSON at byte " + std::to_string(at_) + " of the answer");
  }
  /// Whether the text is UTF-8, without halves of surrogate pairs and without longer forms than necessary.
  bool is_utf8() const {
    for (std::size_t at = 0; at < text_.size();) {
      const auto byte = [&](std::size_t index) { return index < text_.size() ? static_cast<unsigned char>(text_[index]) : 0u; };
      const unsigned first = byte(at);
      const std::size_t more = first < 0x80 ? 0 : first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
      if (first >= 0x80 && (first < 0xC2 || first > 0xF4)) return false;
      for (std::size_t index = 1; index <= more; ++index)
        if ((byte(at + index) & 0xC0) != 0x80) return false;
      const unsigned second = more > 0 ? byte(at + 1) : 0;
      if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F)) return false;
      if ((first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) return false;
      at += more + 1;
    }
    return true;
  }
  bool is_end() const { return at_ >= text_.size(); }
  char peek() const { return is_end() ? '\0' : text_[at_]; }
  void blanks() {
    while (!is_end() && (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r')) ++at_;
  }
  bool take(char wanted) {
    if (is_end() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }
  Json word(std::string_view letters, Json meaning) {
    if (text_.substr(at_, letters.size()) != letters) fail();
    at_ += letters.size();
    return meaning;
  }

  Json value(int depth) {
    blanks();
    switch (peek()) {
      case '{': return object(depth);
      case '[': return list(depth);
      case '"': return Json(string());
      case 't': return word("true", Json(true));
      case 'f': return word("false", Json(false));
      case 'n': return word("null", Json());
      default: return number();
    }
  }
  Json list(int depth) {
    if (depth >= max_depth) fail();
    ++at_;
    std::vector<Json> items;
    blanks();
    if (take(']')) return Json::list({});
    do items.push_back(value(depth + 1));
    while (next(']'));
    return Json::list(std::move(items));
  }
  Json object(int depth) {
    if (depth >= max_depth) fail();
    ++at_;
    std::vector<Json::Member> members;
    std::set<std::string> names;
    blanks();
    if (take('}')) return Json::object({});
    do {
      blanks();
      if (peek() != '"') fail();
      std::string name = string();
      if (!names.insert(name).second) fail();  // a repeated name has no one meaning
      blanks();
      if (!take(':')) fail();
      members.emplace_back(std::move(name), value(depth + 1));
    } while (next('}'));
    return Json::object(std::move(members));
  }
  /// Whether a comma follows; false at the closing sign.
  bool next(char closing) {
    blanks();
    if (take(',')) return true;
    if (!take(closing)) fail();
    return false;
  }
  bool digits() {
    const std::size_t from = at_;
    while (peek() >= '0' && peek() <= '9') ++at_;
    return at_ > from;
  }
  Json number() {
    const std::size_t from = at_;
    take('-');
    if (!take('0') && !digits()) fail();
    if (take('.') && !digits()) fail();
    if (take('e') || take('E')) {
      if (!take('+')) take('-');
      if (!digits()) fail();
    }
    std::istringstream digits_of{std::string(text_.substr(from, at_ - from))};
    digits_of.imbue(std::locale::classic());
    double read = 0;
    digits_of >> read;
    if (digits_of.fail() && read == 0) return Json(0.0);  // smaller than the smallest double
    if (!std::isfinite(read) || digits_of.fail()) fail();
    return Json(read);
  }
  unsigned hex4() {
    unsigned read = 0;
    for (int digit = 0; digit < 4; ++digit, ++at_) {
      const char each = peek();
      if (each >= '0' && each <= '9') read = read * 16 + static_cast<unsigned>(each - '0');
      else if (each >= 'a' && each <= 'f') read = read * 16 + static_cast<unsigned>(each - 'a' + 10);
      else if (each >= 'A' && each <= 'F') read = read * 16 + static_cast<unsigned>(each - 'A' + 10);
      else fail();
    }
    return read;
  }
  /// Reads four hexadecimal digits, and the second half of a surrogate pair.
  unsigned code_point() {
    const unsigned high = hex4();
    if (high < 0xD800 || high > 0xDFFF) return high;
    if (high > 0xDBFF || !take('\\') || !take('u')) fail();
    const unsigned low = hex4();
    if (low < 0xDC00 || low > 0xDFFF) fail();
    return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
  }
  static void append(std::string& out, unsigned point) {
    const auto byte = [&](unsigned value) { out += static_cast<char>(static_cast<unsigned char>(value)); };
    if (point < 0x80) return byte(point);
    if (point < 0x800) byte(0xC0 | (point >> 6));
    else if (point < 0x10000) {
      byte(0xE0 | (point >> 12));
      byte(0x80 | ((point >> 6) & 0x3F));
    } else {
      byte(0xF0 | (point >> 18));
      byte(0x80 | ((point >> 12) & 0x3F));
      byte(0x80 | ((point >> 6) & 0x3F));
    }
    byte(0x80 | (point & 0x3F));
  }
  std::string string() {
    ++at_;
    std::string out;
    for (;;) {
      if (is_end()) fail();
      const char each = text_[at_++];
      if (each == '"') return out;
      if (static_cast<unsigned char>(each) < 0x20) fail();
      if (each != '\\') {
        out += each;
        continue;
      }
      if (is_end()) fail();
      switch (text_[at_++]) {
        case '"': out += '"'; break;
        case '\\': out += '\\'; break;
        case '/': out += '/'; break;
        case 'b': out += '\b'; break;
        case 'f': out += '\f'; break;
        case 'n': out += '\n'; break;
        case 'r': out += '\r'; break;
        case 't': out += '\t'; break;
        case 'u': append(out, code_point()); break;
        default: fail();
      }
    }
  }
};

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;

/// An event of a stream.
struct Event {
  std::string name, data;
};

/// Reads Server-Sent Events from bytes. Holds the bytes of one unfinished event; `held()` counts them.
class EventReader {
 public:
  /// Adds bytes, and appends the events that are complete.
  void read(std::string_view bytes, std::deque<Event>& events) {
    for (const char each : bytes) {
      if (each == '\n' && after_return_) {  // the second half of a line end
        after_return_ = false;
        continue;
      }
      after_return_ = each == '\r';
      if (each == '\n' || each == '\r') end_line(events);
      else line_ += each;
    }
  }
  std::size_t held() const { return line_.size() + data_.size(); }

 private:
  std::string line_, name_, data_;
  bool after_return_ = false;

  void end_line(std::deque<Event>& events) {
    if (line_.empty()) {
      if (!data_.empty()) events.push_back({std::move(name_), std::move(data_)});
      name_.clear();
      data_.clear();
    } else {
      const std::size_t colon = line_.find(':');
      const std::string_view field = std::string_view(line_).substr(0, colon);
      std::string_view value = colon == std::string::npos ? std::string_view() : std::string_view(line_).substr(colon + 1);
      if (!value.empty() && value.front() == ' ') value.remove_prefix(1);
      if (field == "event") name_ = value;
      if (field == "data") data_.append(data_.empty() ? "" : "\n").append(value);
    }
    line_.clear();
  }
};

}  // namespace detail

inline Json Json::parse(std::string_view text) { return detail::Reader(text).whole(); }

struct Port {
  std::string name, protocol, host;
  int port = 0;  ///< the port for players (`external_port`)
};

/// The game server of a match.
struct Server {
  std::string instance_id, region;
  std::vector<Port> ports;

  /// Returns the port with this name; null when there is none.
  const Port* port(std::string_view name) const {
    for (const Port& each : ports)
      if (each.name == name) return &each;
    return nullptr;
  }
};

/// A lobby as the service last showed it.
struct Lobby {
  std::string id, queue_id;
  std::string status;  ///< waiting, in_queue, matched, starting or in_game
  std::string host_player_id, invite_code, match_id;
  std::vector<std::string> players;
  std::optional<Server> server;
  std::int64_t version = 0;
  Json json;  ///< all fields, with `settings`, the states of the players, `proposal` and `last_exit`
};

/// A match that began: its players may connect to the server. Without a server, the queue launches none.
struct Match {
  std::string id;
  std::optional<Server> server;
  Lobby lobby;
};

struct Options {
  std::string base_url;      ///< e.g. https://play.example.com
  std::string client_key;    ///< ck_live_…
  std::string player_id;     ///< 1 to 128 characters
  std::string player_token;  ///< for projects whose players prove their identity; may be empty
  std::function<std::string()> renew_token;  ///< returns another player token when the service refuses the present one
  std::string ca_file;       ///< a PEM file with authorities of your own; empty: those of the system
  std::chrono::milliseconds connect_timeout{10'000};
  std::chrono::milliseconds answer_timeout{30'000};  ///< of one attempt, besides the time that a poll waits
  std::chrono::milliseconds give_up_after{30'000};   ///< of all attempts of a call, and of a stream that is lost
  std::chrono::milliseconds stream_silence{35'000};  ///< after which a stream is opened again; the service sends every 15 s
  bool use_streams = true;                           ///< false: follow() polls
  std::size_t max_answer_bytes = 1024 * 1024;        ///< of an answer, and of the events that wait in memory
};

class Client {
 public:
  explicit Client(Options options) : options_(std::move(options)) {
    static const CURLcode ready = curl_global_init(CURL_GLOBAL_DEFAULT);
    if (ready != CURLE_OK) throw Error(Code::invalid_argument, "libcurl could not be initialized");
    while (!options_.base_url.empty() && options_.base_url.back() == '/') options_.base_url.pop_back();
    for (const std::string* each : {&options_.base_url, &options_.client_key, &options_.player_id})
      if (each->empty()) throw Error(Code::invalid_argument, "base_url, client_key and player_id are required");
    for (const std::string* each : {&options_.client_key, &options_.player_id, &options_.player_token}) header_value(*each);
    if (options_.player_id.front() == ' ' || options_.player_id.back() == ' ')
      throw Error(Code::invalid_argument, "HTTP cannot send spaces around a player id");
    curl_.reset(curl_easy_init());
    if (!curl_) throw Error(Code::invalid_argument, "libcurl could not make a handle");
  }

  /// Makes the running call, and all later calls, throw Code::stopped. Any thread may call it.
  void stop() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      is_stopped_ = true;
      if (following_ != nullptr) curl_multi_wakeup(following_);
    }
    wake_.notify_all();
  }

  // Lobbies.

  /// Creates a lobby with this player as host. `more` has the optional fields of POST /v1/lobbies: max_players, settings, state …
  Lobby create_lobby(const std::string& queue_id, Json more = {}) {
    more.set("queue_id", queue_id);
    return lobby_of(change("POST", "/v1/lobbies", more));
  }
  Lobby join_lobby(const std::string& lobby_id, Json state = {}) {
    return lobby_of(change("POST", path_of(lobby_id) + "/join", with_state({}, std::move(state))));
  }
  Lobby join_by_code(const std::string& invite_code, Json state = {}) {
    return lobby_of(change("POST", "/v1/lobbies/join", with_state({{"invite_code", invite_code}}, std::move(state))));
  }
  /// Joins the fullest open lobby of the queue, or creates one. `more` has the optional fields filter, state and create.
  Lobby quick_join(const std::string& queue_id, Json more = {}) {
    more.set("queue_id", queue_id);
    return lobby_of(change("POST", "/v1/lobbies/quick-join", more));
  }
  Lobby get_lobby(const std::string& lobby_id) { return lobby_of(read(path_of(lobby_id))); }
  /// Changes this player's state; fields that are not sent keep their values.
  Lobby set_state(const std::string& lobby_id, Json state) {
    const std::string path = path_of(lobby_id) + "/players/" + escaped(options_.player_id);
    change("PATCH", path, Json::object({{"state", std::move(state)}}));
    return get_lobby(lobby_id);
  }
  void leave(const std::string& lobby_id) { change("POST", path_of(lobby_id) + "/leave"); }

  // The search.

  Lobby enqueue(const std::string& lobby_id) { return lobby_of(change("POST", path_of(lobby_id) + "/queue")); }
  Lobby cancel(const std::string& lobby_id) { return lobby_of(change("DELETE", path_of(lobby_id) + "/queue")); }
  /// Accepts the match that `lobby.json["proposal"]` proposes. If the proposal has ended meanwhile, nothing happens.
  void accept(const Lobby& lobby) { answer(lobby, "accept"); }
  /// Declines that match. The lobby returns to `waiting`, and may have to wait before its next search.
  void decline(const Lobby& lobby) { answer(lobby, "decline"); }

  /// Waits up to `seconds` (0 to 25) for a version after `after_version`. Returns nothing when there is none in this time.
  std::optional<Lobby> poll(const std::string& lobby_id, std::int64_t after_version, int seconds = 20) {
    const int wait = std::clamp(seconds, 0, 25);
    const std::string query = "?after_version=" + std::to_string(after_version) + "&wait=" + std::to_string(wait);
    const Answer answer = call({"GET", path_of(lobby_id) + query, "", "", std::chrono::seconds(wait), 0, false});
    if (answer.status == 204) return std::nullopt;
    return lobby_of(answer.json);
  }

  /// Follows a lobby: calls `on_version` with each version after `after_version`, in order, until it returns false. Throws
  /// Code::timed_out after `patience`, and Code::lobby_not_found when the lobby is deleted. A lost stream is opened again
  /// after the last version; where a network holds streams back, the lobby is polled. `on_version` may make calls.
  void follow(const std::string& lobby_id, std::int64_t after_version, std::chrono::milliseconds patience,
              const std::function<bool(const Lobby&)>& on_version) {
    const auto until = detail::Clock::now() + patience;
    std::int64_t version = after_version;
    if (options_.use_streams && follow_by_stream(lobby_id, version, until, on_version)) return;
    for (;;) {
      const auto left = until - detail::Clock::now();
      if (left <= detail::Clock::duration::zero()) throw timed_out();
      const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left).count() + 1;
      const auto newer = poll(lobby_id, version, static_cast<int>(std::min<long long>(seconds, 20)));
      if (!newer) continue;
      version = newer->version;
      if (!on_version(*newer)) return;
    }
  }

  /// Waits until the lobby is in a match whose server runs. Throws Code::search_ended when the search ends without a match,
  /// and Code::timed_out after `patience`; the search then continues. `on_change` is called with each version of the lobby,
  /// and calls accept() or decline() when `lobby.json["proposal"]` is there.
  Match wait_for_match(const Lobby& searching, std::chrono::seconds patience,
                       const std::function<void(const Lobby&)>& on_change = nullptr) {
    std::optional<Match> match;
    const auto goes_on = [&](const Lobby& lobby) {
      const Json& exit = lobby.json["last_exit"];
      if (lobby.status == "waiting" && !exit["will_requeue"].boolean()) throw search_ended(exit);
      if (lobby.status == "in_game") match = Match{lobby.match_id, lobby.server, lobby};
      return !match;
    };
    if (goes_on(searching)) {
      follow(searching.id, searching.version, patience, [&](const Lobby& lobby) {
        if (on_change) on_change(lobby);
        return goes_on(lobby);
      });
    }
    return *match;
  }

  /// Creates a private lobby of this player, searches a match, and waits for it. Leaves the lobby when the wait fails.
  Match play(const std::string& queue_id, Json state = {}, std::chrono::seconds patience = std::chrono::seconds(300),
             const std::function<void(const Lobby&)>& on_change = nullptr) {
    const Lobby made = create_lobby(queue_id, with_state({{"is_private", true}}, std::move(state)));
    try {
      return wait_for_match(enqueue(made.id), patience, on_change);
    } catch (...) {
      try {
        if (!is_stopped()) leave(made.id);
      } catch (const Error&) {
        // The first error is reported. The service deletes the lobby when it is idle.
      }
      throw;
    }
  }

  // Matches.

  /// Returns a token that proves this player to the game server, for five minutes.
  std::string join_token(const std::string& match_id) {
    return change("POST", "/v1/matches/" + escaped(match_id) + "/join-token")["token"].text();
  }
  Json get_match(const std::string& match_id) { return read("/v1/matches/" + escaped(match_id)); }
  /// Leaves the match that keeps this player out of other matches.
  void leave_match() { change("POST", "/v1/players/me/leave-match"); }
  /// Returns the live match, the searches and the lobbies of this player, e.g. after a restart of the game.
  Json me() { return read("/v1/players/me"); }

 private:
  struct Request {
    std::string method, path, body, key;
    std::chrono::milliseconds wait{0};
    std::int64_t after_version = 0;  ///< of a stream
    bool is_stream = false;
  };
  struct Answer {
    long status = 0;
    Json json;
  };
  /// An answer as it arrives.
  struct Received {
    std::size_t most = 0;  ///< the largest size of `body`
    std::string body;
    bool is_too_large = false;
    bool is_problem_of_service = false;
    bool is_stream = false;
    std::chrono::milliseconds retry_after{0};
  };
  /// The events of one connection as they arrive.
  struct Streamed {
    Received received;  ///< with the body of an answer that is no stream
    detail::EventReader reader;
    std::deque<detail::Event> events;  ///< complete, and not delivered yet
    std::size_t waiting = 0;           ///< bytes of `events`
    bool is_paused = false;
    bool has_heard = false;
    detail::Clock::time_point heard = detail::Clock::now();  ///< the last bytes, or the begin
    CURLcode result = CURLE_OK;
    long status = 0;
  };
  struct HandleEnd {
    void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
  };
  struct HeadersEnd {
    void operator()(curl_slist* headers) const { curl_slist_free_all(headers); }
  };
  using Headers = std::unique_ptr<curl_slist, HeadersEnd>;
  struct MultiEnd {
    void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
  };

  Options options_;
  std::unique_ptr<CURL, HandleEnd> curl_;
  std::atomic<bool> is_stopped_{false};
  std::mutex mutex_;
  std::condition_variable wake_;
  CURLM* following_ = nullptr;  // the open stream, which stop() wakes
  std::random_device chance_;

  bool is_stopped() const { return is_stopped_; }

  // Paths and bodies.

  std::string escaped(const std::string& text) const {
    char* made = curl_easy_escape(curl_.get(), text.c_str(), static_cast<int>(text.size()));
    if (made == nullptr || text.empty()) throw Error(Code::invalid_argument, "an id is empty or cannot be sent");
    std::string copy(made);
    curl_free(made);
    return copy;
  }
  std::string path_of(const std::string& lobby_id) const { return "/v1/lobbies/" + escaped(lobby_id); }
  static Json with_state(std::vector<Json::Member> members, Json state) {
    if (!state.is_null()) members.emplace_back("state", std::move(state));
    return Json::object(std::move(members));
  }
  /// Returns the value; throws when it has control characters, which would begin another header.
  static const std::string& header_value(const std::string& value) {
    const auto is_control = [](char each) { return static_cast<unsigned char>(each) < 0x20 || each == 0x7F; };
    if (std::any_of(value.begin(), value.end(), is_control))
      throw Error(Code::invalid_argument, "a key, player id or token has control characters");
    return value;
  }
  std::string new_key() {
    std::string key;
    for (int part = 0; part < 4; ++part) {
      char digits[9];
      std::snprintf(digits, sizeof digits, "%08x", static_cast<unsigned>(chance_()));
      key += digits;
    }
    return key;
  }

  // Calls.

  Json read(const std::string& path) { return call({"GET", path, "", "", std::chrono::milliseconds(0), 0, false}).json; }
  /// Calls with an idempotency key, so that a repeated call has no second effect.
  Json change(const std::string& method, const std::string& path, const Json& body = {}) {
    return call({method, path, body.is_null() ? "" : body.dump(), new_key(), std::chrono::milliseconds(0), 0, false}).json;
  }
  void answer(const Lobby& lobby, const std::string& word) {
    const Json& proposal = lobby.json["proposal"];
    if (proposal.is_null()) return;
    try {
      change("POST", path_of(lobby.id) + "/proposal/" + word, Json::object({{"match_id", proposal["match_id"]}}));
    } catch (const Error& error) {
      if (error.code != Code::no_proposal && error.code != Code::proposal_changed && error.code != Code::invalid_lobby_state) throw;
    }
  }

  /// Repeats a call while it may pass, with growing random pauses, until give_up_after.
  Answer call(const Request& request) {
    const auto until = detail::Clock::now() + options_.give_up_after + request.wait;
    bool has_renewed = false;
    for (int attempt = 0;; ++attempt) {
      Received received;
      received.most = options_.max_answer_bytes;
      long status = 0;
      const CURLcode result = perform(request, received, status, until);
      throw_when_stopped();
      if (result == CURLE_OK && status >= 200 && status < 300)
        if (const auto json = json_of(received.body, status)) return {status, *json};
      const Error error = failure_of(result, status, received);
      if (renew(error, has_renewed)) continue;
      if (!is_passing(error)) throw error;
      pause(attempt, until, error);
    }
  }

  void throw_when_stopped() const {
    if (is_stopped()) throw Error(Code::stopped, "the client was stopped");
  }
  static Error timed_out() { return Error(Code::timed_out, "the time is over; the lobby is as it was"); }

  /// Returns the error of a call that did not succeed.
  Error failure_of(CURLcode result, long status, const Received& received) const {
    if (received.is_too_large)
      return Error(Code::answer_too_large, "the answer is larger than " + std::to_string(options_.max_answer_bytes) + " bytes");
    if (result != CURLE_OK) {
      const std::string why = curl_easy_strerror(result);
      return is_worth_repeating(result) ? Error(Code::unreachable, "the service cannot be reached: " + why)
                                        : Error(Code::invalid_argument, why);
    }
    if (received.is_problem_of_service)
      if (const auto problem = json_of(received.body, status)) return refusal(*problem, status, received.retry_after);
    const bool may_pass = status >= 500 || status == 429 || (status >= 200 && status < 300);
    Error error(may_pass ? Code::unreachable : Code::invalid_answer,
                "an answer with status " + std::to_string(status) + " is not from the service; is base_url right?");
    error.status = static_cast<int>(status);
    error.retry_after = received.retry_after;
    return error;
  }
  /// Whether the same call may succeed later.
  static bool is_passing(const Error& error) {
    return error.code == Code::unreachable || error.code == Code::unavailable || error.code == Code::rate_limited ||
           error.code == Code::conflict;
  }
  /// Whether another player token was fetched, once, because the service refused the present one.
  bool renew(const Error& error, bool& has_renewed) {
    const bool is_refused = error.code == Code::invalid_player_token || error.code == Code::player_token_required;
    if (!is_refused || has_renewed || !options_.renew_token) return false;
    has_renewed = true;
    options_.player_token = options_.renew_token();
    header_value(options_.player_token);
    return true;
  }

  static std::optional<Json> json_of(const std::string& body, long status) {
    if (status == 204 || body.empty()) return Json();
    try {
      return Json::parse(body);
    } catch (const Error&) {
      return std::nullopt;
    }
  }
  static Error refusal(const Json& problem, long status, std::chrono::milliseconds retry_after) {
    Error error(static_cast<Code>(static_cast<int>(problem["number"].integer())), problem["detail"].text(problem["title"].text()));
    error.name = problem["code"].text();
    error.status = static_cast<int>(status);
    error.request_id = problem["request_id"].text();
    error.retry_after = retry_after;
    return error;
  }
  static Error search_ended(const Json& exit) {
    Error error(Code::search_ended, "the search ended: " + exit["reason"].text("unknown") + ". " + exit["detail"].text());
    error.reason = exit["reason"].text();
    return error;
  }
  static bool is_worth_repeating(CURLcode result) {
    return result != CURLE_URL_MALFORMAT && result != CURLE_UNSUPPORTED_PROTOCOL && result != CURLE_PEER_FAILED_VERIFICATION &&
           result != CURLE_SSL_CACERT_BADFILE;
  }

  /// Waits before the next attempt. Throws the error when the next attempt would be too late.
  void pause(int attempt, detail::Clock::time_point until, const Error& error) {
    const long long most = std::min(250LL << std::min(attempt, 5), 5'000LL);
    const auto drawn = std::chrono::milliseconds(static_cast<long long>(chance_()) % most);
    const auto next = detail::Clock::now() + std::max(drawn, error.retry_after);
    if (next > until) throw error;
    std::unique_lock<std::mutex> lock(mutex_);
    wake_.wait_until(lock, next, [this] { return is_stopped_.load(); });
    lock.unlock();
    throw_when_stopped();
  }

  Headers headers_of(const Request& request) const {
    Headers headers;
    const auto add = [&](const std::string& line) {
      curl_slist* longer = curl_slist_append(headers.get(), line.c_str());
      if (longer == nullptr) throw std::bad_alloc();
      (void)headers.release();
      headers.reset(longer);
    };
    add("api-key: " + options_.client_key);
    if (options_.player_token.empty()) add("x-player-id: " + options_.player_id);
    else add("authorization: Bearer " + options_.player_token);
    add(request.is_stream ? "accept: text/event-stream" : "accept: application/json");
    if (request.after_version > 0) add("last-event-id: " + std::to_string(request.after_version));
    add("expect:");
    if (!request.key.empty()) add("idempotency-key: " + request.key);
    if (!request.body.empty()) add("content-type: application/json");
    return headers;
  }

  CURLcode perform(const Request& request, Received& received, long& status, detail::Clock::time_point until) {
    CURL* handle = curl_.get();
    curl_easy_reset(handle);  // keeps the open connections
    const Headers headers = headers_of(request);
    prepare(handle, request, headers.get(), received);
    const auto left = std::chrono::duration_cast<detail::Milliseconds>(until - detail::Clock::now());
    const auto time = std::clamp(left, detail::Milliseconds(1), options_.answer_timeout + request.wait);
    curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, static_cast<long>(time.count()));
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, &Client::on_body);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, &received);
    curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, &Client::on_progress);
    curl_easy_setopt(handle, CURLOPT_XFERINFODATA, this);
    const CURLcode result = is_stopped_ ? CURLE_ABORTED_BY_CALLBACK : curl_easy_perform(handle);
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    return result;
  }
  /// Sets the options that calls and streams share. libcurl copies the URL and the body, but not the headers.
  void prepare(CURL* handle, const Request& request, curl_slist* headers, Received& received) const {
    const std::string url = options_.base_url + request.path;
    curl_easy_setopt(handle, CURLOPT_URL, url.c_str());
    curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, request.method.c_str());
    if (request.method != "GET") {
      curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE, static_cast<long>(request.body.size()));
      curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, request.body.c_str());
    }
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(options_.connect_timeout.count()));
#if LIBCURL_VERSION_NUM >= 0x075500
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    curl_easy_setopt(handle, CURLOPT_PROTOCOLS, static_cast<long>(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
    if (!options_.ca_file.empty()) curl_easy_setopt(handle, CURLOPT_CAINFO, options_.ca_file.c_str());
    curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, &Client::on_header);
    curl_easy_setopt(handle, CURLOPT_HEADERDATA, &received);
  }

  static std::size_t on_body(char* bytes, std::size_t size, std::size_t count, void* to) {
    return take(*static_cast<Received*>(to), bytes, size * count);
  }
  static std::size_t take(Received& received, const char* bytes, std::size_t length) {
    received.is_too_large = received.body.size() + length > received.most;
    if (received.is_too_large) return 0;  // ends the transfer
    received.body.append(bytes, length);
    return length;
  }
  static std::size_t on_header(char* bytes, std::size_t size, std::size_t count, void* to) {
    Received& received = *static_cast<Received*>(to);
    std::string line(bytes, size * count);
    for (char& each : line)
      if (each >= 'A' && each <= 'Z') each = static_cast<char>(each + 32);
    if (line.rfind("content-type:", 0) == 0 && line.find("application/problem+json") != std::string::npos)
      received.is_problem_of_service = true;
    if (line.rfind("content-type:", 0) == 0 && line.find("text/event-stream") != std::string::npos) received.is_stream = true;
    if (line.rfind("retry-after:", 0) == 0)
      received.retry_after = std::chrono::seconds(std::clamp(std::atoi(line.c_str() + 12), 0, 86'400));
    return size * count;
  }
  static int on_progress(void* client, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    return static_cast<Client*>(client)->is_stopped() ? 1 : 0;
  }

  // Streams.

  static constexpr int max_cuts = 3;
  /// A stream that lives shorter than this was cut by the network.
  static constexpr std::chrono::seconds young{20};

  /// Follows by streams. Returns true when `on_version` wants no more versions, and false when the network cuts streams.
  bool follow_by_stream(const std::string& lobby_id, std::int64_t& version, detail::Clock::time_point until,
                        const std::function<bool(const Lobby&)>& on_version) {
    auto give_up_at = detail::Clock::now() + options_.give_up_after;
    bool has_renewed = false;
    for (int attempt = 0, cuts = 0; cuts < max_cuts;) {
      const auto began = detail::Clock::now();
      const std::int64_t before = version;
      Streamed streamed;
      streamed.received.most = options_.max_answer_bytes;
      if (read_stream(lobby_id, version, until, on_version, streamed)) return true;
      if (streamed.status == 204) throw deleted();
      if (version != before) attempt = 0;
      if (streamed.has_heard) {
        give_up_at = detail::Clock::now() + options_.give_up_after;
        has_renewed = false;
      }
      const bool is_silent = streamed.result == CURLE_OPERATION_TIMEDOUT && !streamed.has_heard;
      const bool was_open = streamed.received.is_stream && !streamed.received.is_too_large;
      const bool is_cut = is_silent || (was_open && detail::Clock::now() - began < young);
      cuts = is_cut && version == before ? cuts + 1 : 0;
      const Error error = was_open || is_silent ? Error(Code::unreachable, "the event stream was cut")
                                                : failure_of(streamed.result, streamed.status, streamed.received);
      if (renew(error, has_renewed)) continue;
      if (!is_passing(error)) throw error;
      if (cuts < max_cuts) pause(attempt++, give_up_at, error);
    }
    return false;
  }

  /// Reads one stream until it ends or is silent. Returns whether `on_version` wants no more versions.
  bool read_stream(const std::string& lobby_id, std::int64_t& version, detail::Clock::time_point until,
                   const std::function<bool(const Lobby&)>& on_version, Streamed& streamed) {
    const Request request{"GET", path_of(lobby_id) + "/events", "", "", std::chrono::milliseconds(0), version, true};
    const Headers headers = headers_of(request);
    const std::unique_ptr<CURL, HandleEnd> handle(curl_easy_init());
    const std::unique_ptr<CURLM, MultiEnd> multi(curl_multi_init());
    if (!handle || !multi) throw Error(Code::invalid_argument, "libcurl could not make a handle");
    prepare(handle.get(), request, headers.get(), streamed.received);
    curl_easy_setopt(handle.get(), CURLOPT_WRITEFUNCTION, &Client::on_events);
    curl_easy_setopt(handle.get(), CURLOPT_WRITEDATA, &streamed);
    const OpenStream open(*this, multi.get(), handle.get());
    for (int running = 1; running > 0;) {
      throw_when_stopped();
      curl_multi_perform(multi.get(), &running);
      if (!streamed.events.empty()) {
        while (!streamed.events.empty())
          if (!deliver(next_event(streamed), version, on_version)) return true;
        continue;  // on_version may have taken long: bytes that arrived meanwhile are read before the silence is judged
      }
      if (streamed.is_paused) {
        streamed.is_paused = false;
        curl_easy_pause(handle.get(), CURLPAUSE_CONT);
        continue;
      }
      const auto now = detail::Clock::now();
      const auto silent_at = streamed.heard + (streamed.has_heard ? options_.stream_silence : options_.connect_timeout);
      if (now >= until) throw timed_out();
      if (now >= silent_at) {
        streamed.result = CURLE_OPERATION_TIMEDOUT;
        return false;
      }
      const auto left = std::chrono::duration_cast<detail::Milliseconds>(std::min(until, silent_at) - now).count() + 1;
      if (running > 0) curl_multi_poll(multi.get(), nullptr, 0, static_cast<int>(std::min<long long>(left, 60'000)), nullptr);
    }
    int messages = 0;
    if (const CURLMsg* message = curl_multi_info_read(multi.get(), &messages)) streamed.result = message->data.result;
    curl_easy_getinfo(handle.get(), CURLINFO_RESPONSE_CODE, &streamed.status);
    return false;
  }

  /// Connects the stream with the client while it is open, so that stop() wakes its wait.
  struct OpenStream {
    OpenStream(Client& client_, CURLM* multi_, CURL* handle_) : client(client_), multi(multi_), handle(handle_) {
      curl_multi_add_handle(multi, handle);
      const std::lock_guard<std::mutex> lock(client.mutex_);
      outer = std::exchange(client.following_, multi);
    }
    OpenStream(const OpenStream&) = delete;
    OpenStream& operator=(const OpenStream&) = delete;
    ~OpenStream() {
      const std::lock_guard<std::mutex> lock(client.mutex_);
      client.following_ = outer;
      curl_multi_remove_handle(multi, handle);
    }
    Client& client;
    CURLM* multi;
    CURL* handle;
    CURLM* outer = nullptr;  // the stream whose `on_version` follows this one
  };

  static detail::Event next_event(Streamed& streamed) {
    detail::Event event = std::move(streamed.events.front());
    streamed.events.pop_front();
    streamed.waiting -= event.data.size();
    return event;
  }
  /// Passes a version on, unless it was passed on before. Returns whether more versions are wanted.
  bool deliver(const detail::Event& event, std::int64_t& version, const std::function<bool(const Lobby&)>& on_version) const {
    throw_when_stopped();
    if (event.name == "lobby_deleted") throw deleted();
    const bool is_present = event.name == "connected";
    if (!is_present && event.name != "lobby_updated") return true;
    const Lobby lobby = lobby_of(Json::parse(event.data));
    if (is_present ? lobby.version == version : lobby.version <= version) return true;
    version = lobby.version;
    return on_version(lobby);
  }
  static Error deleted() {
    Error error(Code::lobby_not_found, "the lobby was deleted");
    error.name = "LOBBY_NOT_FOUND";
    return error;
  }

  static std::size_t on_events(char* bytes, std::size_t size, std::size_t count, void* to) {
    Streamed& streamed = *static_cast<Streamed*>(to);
    const std::size_t length = size * count;
    streamed.heard = detail::Clock::now();
    streamed.has_heard = true;
    if (!streamed.received.is_stream) return take(streamed.received, bytes, length);
    if (!streamed.events.empty() && streamed.waiting + streamed.reader.held() + length > streamed.received.most) {
      streamed.is_paused = true;  // libcurl passes these bytes again
      return CURL_WRITEFUNC_PAUSE;
    }
    const std::size_t before = streamed.events.size();
    streamed.reader.read({bytes, length}, streamed.events);
    for (std::size_t index = before; index < streamed.events.size(); ++index) streamed.waiting += streamed.events[index].data.size();
    streamed.received.is_too_large = streamed.reader.held() > streamed.received.most;
    return streamed.received.is_too_large ? 0 : length;
  }

  // Answers.

  static Server server_of(const Json& json) {
    Server server{json["instance_id"].text(), json["region"].text(), {}};
    for (const Json& each : json["network_ports"].items()) {
      const int port = static_cast<int>(each["external_port"].integer());
      server.ports.push_back({each["name"].text(), each["protocol"].text(), each["host"].text(), port});
    }
    return server;
  }
  static Lobby lobby_of(const Json& json) {
    Lobby lobby;
    lobby.id = json["lobby_id"].text();
    lobby.status = json["status"].text();
    if (lobby.id.empty() || lobby.status.empty()) throw Error(Code::invalid_answer, "the answer is not a lobby");
    lobby.queue_id = json["queue_id"].text();
    lobby.host_player_id = json["host_player_id"].text();
    lobby.invite_code = json["invite_code"].text();
    lobby.match_id = json["match_id"].text();
    lobby.version = json["version"].integer();
    for (const Json& each : json["players"].items()) lobby.players.push_back(each["player_id"].text());
    if (!json["server"].is_null()) lobby.server = server_of(json["server"]);
    lobby.json = json;
    return lobby;
  }
};

}  // namespace matchyard
