# UNPROVEN: ported to Godot 4 by hand from godot-3; no Godot 4 has run it here.
# Address of a service, split for HTTPClient.
extends RefCounted

var host := ""
var port := 80
var is_secure := false
# Prefix of every path; empty, or begins with a slash.
var prefix := ""

func _init(url: String):
	var rest := url.strip_edges()
	is_secure = rest.begins_with("https://")
	var scheme := rest.find("://")
	if scheme >= 0:
		rest = rest.substr(scheme + 3)
	var slash := rest.find("/")
	if slash >= 0:
		prefix = rest.substr(slash).rstrip("/")
		rest = rest.substr(0, slash)
	port = 443 if is_secure else 80
	# The port follows the last colon. An IPv6 address contains colons too, but it is in brackets.
	var colon := rest.rfind(":")
	if colon > rest.rfind("]"):
		port = int(rest.substr(colon + 1))
		rest = rest.substr(0, colon)
	host = rest.lstrip("[").rstrip("]")
