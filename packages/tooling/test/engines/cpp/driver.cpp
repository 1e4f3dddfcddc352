// Runs one scenario of cpp.e2e.test.ts with the header. Prints one line for each observation.
#include "matchyard.hpp"

#include <malloc.h>

#include <iostream>
#include <new>
#include <thread>

// Counts the bytes that are allocated, to prove bounds of memory.
static std::size_t live_bytes = 0;
static std::size_t peak_bytes = 0;
static std::mutex counting;

void* operator new(std::size_t size) {
  void* const made = std::malloc(size);
  if (made == nullptr) throw std::bad_alloc();
  const std::lock_guard<std::mutex> lock(counting);
  live_bytes += malloc_usable_size(made);
  peak_bytes = std::max(peak_bytes, live_bytes);
  return made;
}
void operator delete(void* made) noexcept {
  const std::lock_guard<std::mutex> lock(counting);
  live_bytes -= malloc_usable_size(made);
  std::free(made);
}
void operator delete(void* made, std::size_t) noexcept { operator delete(made); }

using namespace matchyard;
using std::chrono::milliseconds;

static void print(const std::string& line) { std::cout << line << std::endl; }

static Options options_of(const char* url, const char* key, const char* player) {
  Options options;
  options.base_url = url;
  options.client_key = key;
  options.player_id = player;
  return options;
}

static void print(const Error& error) {
  print("error " + std::to_string(static_cast<int>(error.code)) + " " + error.name + " " + std::to_string(error.status) + " " +
        error.reason);
}

/// Reads JSON texts, one for each line in hexadecimal digits. Prints each in the same form, or `refused`.
static int json() {
  for (std::string line; std::getline(std::cin, line);) {
    std::string text;
    for (std::size_t at = 0; at + 1 < line.size(); at += 2)
      text += static_cast<char>(std::strtol(line.substr(at, 2).c_str(), nullptr, 16));
    try {
      std::string digits;
      for (const char each : Json::parse(text).dump()) {
        char pair[3];
        std::snprintf(pair, sizeof pair, "%02x", static_cast<unsigned>(static_cast<unsigned char>(each)));
        digits += pair;
      }
      print("read " + digits);
    } catch (const Error& error) {
      print(std::string("refused ") + error.what());
    }
  }
  return 0;
}

static void calls(Client& client) {
  const Lobby lobby = client.create_lobby("demo", Json::object({{"name", "Dans Zuhause é \"1\""}, {"state", Json::object({{"mmr", 1500}})}}));
  print(lobby.status + " " + lobby.json["name"].text() + " " + std::to_string(lobby.version));
  const Lobby changed = client.set_state(lobby.id, Json::object({{"role", "tank"}}));
  print(changed.json["players"].items().front()["state"].dump());
  print(client.join_by_code(lobby.invite_code).id == lobby.id ? "the same lobby" : "another lobby");
  print(client.enqueue(lobby.id).status);
  print(client.cancel(lobby.id).status);
  print(client.poll(lobby.id, 0)->status);
  print(client.poll(lobby.id, client.get_lobby(lobby.id).version, 0) ? "a version" : "no version");
  client.leave(lobby.id);
  try {
    client.get_lobby(lobby.id);
  } catch (const Error& error) {
    print(error);
    print(error.code == Code::lobby_not_found && error.request_id.rfind("req_", 0) == 0 ? "typed" : "untyped");
  }
  try {
    client.leave_match();
  } catch (const Error& error) {
    print(error);
  }
}

/// Searches until another player cancels the search, or leaves.
static void searches(Client& client) {
  const Lobby lobby = client.quick_join("demo", Json::object({{"create", true}}));
  const auto cancel = [&](const Lobby& now) {
    if (now.status == "in_queue") client.cancel(now.id);
  };
  try {
    client.enqueue(lobby.id);
    Lobby before = lobby;
    before.status = "in_queue";
    client.wait_for_match(before, std::chrono::seconds(60), cancel);
  } catch (const Error& error) {
    print(error);
  }
  try {
    client.wait_for_match(client.enqueue(lobby.id), std::chrono::seconds(0));
  } catch (const Error& error) {
    print(error);
  }
  client.leave(lobby.id);
}

/// Follows the lobby `lob_1`, and prints each version until the fourth. With `count`, prints the number of versions.
static void follow(Client& client, bool counts) {
  int seen = 0;
  client.follow("lob_1", 0, std::chrono::seconds(30), [&](const Lobby& lobby) {
    if (!counts) print("version " + std::to_string(lobby.version));
    ++seen;
    return counts ? lobby.status != "in_queue" : lobby.version < 4;
  });
  if (counts) print(std::to_string(seen) + " versions in " + std::to_string(peak_bytes / 1000) + " kB");
}

/// Plays in the queue `checked`: answers each proposed match with `word`.
static void answers(Client& client, const std::string& word) {
  const Match match = client.play("checked", Json(), std::chrono::seconds(60), [&](const Lobby& lobby) {
    if (lobby.json["proposal"].is_null()) return;
    if (word == "accept") client.accept(lobby);
    else client.decline(lobby);
  });
  const Json found = client.get_match(match.id);
  print(match.lobby.status + " " + std::to_string(found["teams"].items().size()) + " teams");
}

int main(int count, char** words) {
  const std::string scenario = count > 1 ? words[1] : "";
  if (scenario == "json") return json();
  if (count < 5) return 2;
  try {
    Options options = options_of(words[2], words[3], words[4]);
    if (scenario == "large") options.max_answer_bytes = 100'000;
    if (scenario == "silent") options.give_up_after = milliseconds(300);
    if (scenario == "burst") options.max_answer_bytes = 100'000;
    if (scenario == "polled") options.use_streams = false;
    if (scenario == "held") options.connect_timeout = milliseconds(100);
    if (scenario == "renew") {
      options.player_token = "old";
      options.renew_token = [] { return "new"; };
    }
    Client client(options);
    if (scenario == "calls") calls(client);
    else if (scenario == "searches" || scenario == "polled") searches(client);
    else if (scenario == "follow" || scenario == "held") follow(client, false);
    else if (scenario == "burst") follow(client, true);
    else if (scenario == "accept" || scenario == "decline") answers(client, scenario);
    else if (scenario == "stop") {
      std::thread other([&] { client.stop(); });
      try {
        follow(client, false);
      } catch (const Error& error) {
        print(error);
      }
      other.join();
    } else
      print(client.me().dump());
  } catch (const Error& error) {
    print(error);
  }
}
